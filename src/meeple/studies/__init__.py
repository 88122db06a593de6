"""Reproductions of experiments of published studies; each study is one file."""
