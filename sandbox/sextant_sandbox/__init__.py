"""The Python executor of Sextant.

Words used here:
  front    the process that speaks HTTP; it never imports pandas
  zygote   the process that has the packages loaded and only ever forks
  slot     a place for one execution: its number, its uid, its /tmp
  spare    a confined child of the zygote that waits for its one program
  layer    one of the kernel's means of confinement, see confine.py
"""
