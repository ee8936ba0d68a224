"""The page: ``python app.py`` in a clone, or a Space, where only requirements.txt is installed.

The package is the folder ``polyrouge`` beside this file: a script's own folder comes first on ``sys.path``.
"""

from polyrouge.page import serve

if __name__ == "__main__":
    serve()
