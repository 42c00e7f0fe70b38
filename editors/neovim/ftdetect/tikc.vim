autocmd BufRead,BufNewFile *.tikc.yaml set filetype=tikc
