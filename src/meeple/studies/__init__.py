"""Experiments of published studies, run again: each study is one file."""
