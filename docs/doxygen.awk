# For `make reference`: the comment on a header becomes the comment of the file, and that on a section a group.

# The text of these comments is laid out for reading as it is.
function text(line) {
  sub(/^ \* ?/, "", line)
  if (line ~ /^(Errors|Memory|Ownership|Ownership and threads|Threads|Example|Conventions):/) {
    label = line
    sub(/:.*/, "", label)
    sub(/^[^:]*: */, "", line)
    return "\n@par " label "\n" toupper(substr(line, 1, 1)) substr(line, 2)
  }
  return line
}

NR == 1 && FILENAME ~ /petteia\.h$/ {
  print "/** @mainpage"
  print "@ref petteia.h is two-player board games in C. Its own page has the conventions; the groups in the menu have its"
  print "functions, one group for each section of the header."
  print "@ref breakdown.h is the functions of the course that Breakdown comes from. */"
}

NR == 1 {
  print "/** @file"
  within = 1
  next
}

/^\/\* -+ .* ----/ {
  title = $0
  gsub(/^\/\* -+ | -+( \*\/)?$/, "", title)
  name = tolower(title)
  gsub(/[^a-z0-9]+/, "_", name)
  if (open) print "/** @} */"
  open = 1
  print "/** @defgroup " name " " title
  if ($0 ~ /\*\/$/) print "@{ */"
  else within = section = 1
  next
}

within && /^ \*\/$/ {
  print section ? "@{ */" : "*/"
  within = section = 0
  next
}

within { print text($0); next }

# A comment of one line on a macro.
/^\/\* .* \*\/$/ && !/extern/ { sub(/^\/\*/, "/**") }

# The guard has no comment, and is no part of the reference.
/^#(ifndef|define) (PETTEIA|BREAKDOWN)_H$/ { next }
/^#endif \/\* (PETTEIA|BREAKDOWN)_H/ { next }

{ print }

END { if (open) print "/** @} */" }
