def chart(name, root): return ''
