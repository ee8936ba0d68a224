# A stop list of our own, where OpenCompass has its.
ABANDON_WORDS_ZH = ["的", "了", "在"]
