"""The Python executor of Sextant.

Terms:
  front    the process that speaks HTTP; it never imports pandas
  zygote   the process that has the packages loaded and only forks
  slot     the capacity for one execution: its number, its uid, its /tmp
  spare    a confined child of the zygote that waits for its one program
  layer    one confinement mechanism of the kernel, see confine.py
"""
