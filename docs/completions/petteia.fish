# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_petteia_global_optspecs
    string join \n cflags libs course h/help V/version
end

function __fish_petteia_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_petteia_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_petteia_using_subcommand
    set -l cmd (__fish_petteia_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c petteia -n "__fish_petteia_needs_command" -l cflags -d 'Prints the flags to compile a C program with (Python package)'
complete -c petteia -n "__fish_petteia_needs_command" -l libs -d 'Prints the flags to link a C program with (Python package)'
complete -c petteia -n "__fish_petteia_needs_command" -l course -d 'Adds the folder of the course\'s pos.h, board.h and logic.h (Python package)'
complete -c petteia -n "__fish_petteia_needs_command" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_needs_command" -s V -l version -d 'Print version'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "move-check" -d 'Reads one move of a TicTac record and prints it in standard form'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "game-check" -d 'Evaluates TicTac game records'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "breakdown" -d 'Plays Breakdown in the terminal'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "quarto" -d 'Plays Quarto in the terminal'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "reversi" -d 'Plays Reversi in the terminal'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "play" -d 'Opens the games in the browser, as a page that it serves until Ctrl-C'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "perft" -d 'Counts the move sequences of a given length'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "solve" -d 'Finds a position\'s exact value, its best moves and the principal variation'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "analyse" -d 'Finds the best moves, with estimates of how the game will end, or exact values'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "evaluate" -d 'Estimates how the game will end, from a look at the position alone'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "link" -d 'Makes links with the names of the documents\' programs'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "completions" -d 'Prints completions for a shell'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "man" -d 'Prints the manual page of the command, or of a program'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "check" -d 'Checks an implementation of a game against petteia (Python package)'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "selfplay" -d 'Writes played games to Parquet files (Python package)'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "playouts" -d 'Plays random games and counts how they end (Python package)'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "match" -d 'Plays two players against each other (Python package)'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "solve-table" -d 'Solves a position in parts, with a journal (Python package)'
complete -c petteia -n "__fish_petteia_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c petteia -n "__fish_petteia_using_subcommand move-check" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand game-check" -s 0 -d 'Reads many records from standard input, each ended by a NUL byte; one verdict per line'
complete -c petteia -n "__fish_petteia_using_subcommand game-check" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -s w -d 'Number of columns' -r
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -s h -d 'Number of rows' -r
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -s k -d 'Length of a stick' -r
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -s q -d 'Side of the square that wins' -r
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -l black -d 'Lets the computer play black: random, myopic, mcts or mcts:1000, perfect or perfect:1000000, alphabeta, alphabeta:depth=8, alphabeta:nodes=100000 or alphabeta:time=0.5, or level:1 to level:10' -r
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -l white -d 'Lets the computer play white: random, myopic, mcts or mcts:1000, perfect or perfect:1000000, alphabeta, alphabeta:depth=8, alphabeta:nodes=100000 or alphabeta:time=0.5, or level:1 to level:10' -r
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -l seed -d 'Seed of the computer\'s random moves' -r
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -l help -d 'Prints help (-h is the height)'
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -s m -d 'Stores the board as a matrix'
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -s b -d 'Stores the board as packed bits'
complete -c petteia -n "__fish_petteia_using_subcommand breakdown" -l hints -d 'Answers ? with a good move: exact, or by an estimate'
complete -c petteia -n "__fish_petteia_using_subcommand quarto" -l hints -d 'Shows humans a good move: exact, or by an estimate'
complete -c petteia -n "__fish_petteia_using_subcommand quarto" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand reversi" -l dark -d 'Lets the computer play dark: random, myopic, mcts or mcts:1000, perfect or perfect:1000000, alphabeta, alphabeta:depth=8, alphabeta:nodes=100000 or alphabeta:time=0.5, or level:1 to level:10' -r
complete -c petteia -n "__fish_petteia_using_subcommand reversi" -l light -d 'Lets the computer play light: random, myopic, mcts or mcts:1000, perfect or perfect:1000000, alphabeta, alphabeta:depth=8, alphabeta:nodes=100000 or alphabeta:time=0.5, or level:1 to level:10' -r
complete -c petteia -n "__fish_petteia_using_subcommand reversi" -l seed -d 'Seed of the computer\'s random moves' -r
complete -c petteia -n "__fish_petteia_using_subcommand reversi" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand play" -l port -d 'The port (any free one)' -r
complete -c petteia -n "__fish_petteia_using_subcommand play" -l host -d 'The address to listen on (127.0.0.1: this machine only)' -r
complete -c petteia -n "__fish_petteia_using_subcommand play" -l no-browser -d 'Only prints the address of the page'
complete -c petteia -n "__fish_petteia_using_subcommand play" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l from -d 'Position to start from, as one line of text' -r
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l first -d 'Who begins (tictac)' -r -f -a "X\t''
O\t''"
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l width -d 'Number of columns (breakdown, reversi)' -r
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l height -d 'Number of rows (breakdown, reversi)' -r
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l stick -d 'Length of a stick (breakdown)' -r
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l square -d 'Side of the square that wins (breakdown)' -r
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l threads -d 'Number of threads' -r
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l table -d 'Size of the transposition table in megabytes [default: no table]' -r
complete -c petteia -n "__fish_petteia_using_subcommand perft" -l json -d 'Prints one JSON object'
complete -c petteia -n "__fish_petteia_using_subcommand perft" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l from -d 'Position to start from, as one line of text' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l first -d 'Who begins (tictac)' -r -f -a "X\t''
O\t''"
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l width -d 'Number of columns (breakdown, reversi)' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l height -d 'Number of rows (breakdown, reversi)' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l stick -d 'Length of a stick (breakdown)' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l square -d 'Side of the square that wins (breakdown)' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l node-limit -d 'Stops after about this many positions, with bounds on the value' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l time-limit -d 'Stops after about this many seconds, with bounds on the value' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l threads -d 'Number of threads' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l table -d 'Size of the transposition table in megabytes' -r
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l one -d 'Finds one best move only, which is faster'
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l empties-to-winner -d 'Counts empty squares for the winner at the end (reversi)'
complete -c petteia -n "__fish_petteia_using_subcommand solve" -l json -d 'Prints one JSON object'
complete -c petteia -n "__fish_petteia_using_subcommand solve" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l from -d 'Position to start from, as one line of text' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l first -d 'Who begins (tictac)' -r -f -a "X\t''
O\t''"
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l width -d 'Number of columns (breakdown, reversi)' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l height -d 'Number of rows (breakdown, reversi)' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l stick -d 'Length of a stick (breakdown)' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l square -d 'Side of the square that wins (breakdown)' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l time -d 'Takes at most this many seconds' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l nodes -d 'Searches at most this many positions [default without a limit: 1000000]' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l depth -d 'Searches at most this many plies deep' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l lines -d 'Number of moves to show' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l threads -d 'Number of threads' -r
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -l json -d 'Prints one JSON object'
complete -c petteia -n "__fish_petteia_using_subcommand analyse" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand evaluate" -l from -d 'Position to start from, as one line of text' -r
complete -c petteia -n "__fish_petteia_using_subcommand evaluate" -l first -d 'Who begins (tictac)' -r -f -a "X\t''
O\t''"
complete -c petteia -n "__fish_petteia_using_subcommand evaluate" -l width -d 'Number of columns (breakdown, reversi)' -r
complete -c petteia -n "__fish_petteia_using_subcommand evaluate" -l height -d 'Number of rows (breakdown, reversi)' -r
complete -c petteia -n "__fish_petteia_using_subcommand evaluate" -l stick -d 'Length of a stick (breakdown)' -r
complete -c petteia -n "__fish_petteia_using_subcommand evaluate" -l square -d 'Side of the square that wins (breakdown)' -r
complete -c petteia -n "__fish_petteia_using_subcommand evaluate" -l json -d 'Prints one JSON object'
complete -c petteia -n "__fish_petteia_using_subcommand evaluate" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand link" -l to -d 'Command to link to [default: this one]' -r -F
complete -c petteia -n "__fish_petteia_using_subcommand link" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand completions" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand man" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand check" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand selfplay" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand playouts" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand match" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand solve-table" -s h -l help -d 'Print help'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "move-check" -d 'Reads one move of a TicTac record and prints it in standard form'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "game-check" -d 'Evaluates TicTac game records'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "breakdown" -d 'Plays Breakdown in the terminal'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "quarto" -d 'Plays Quarto in the terminal'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "reversi" -d 'Plays Reversi in the terminal'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "play" -d 'Opens the games in the browser, as a page that it serves until Ctrl-C'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "perft" -d 'Counts the move sequences of a given length'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "solve" -d 'Finds a position\'s exact value, its best moves and the principal variation'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "analyse" -d 'Finds the best moves, with estimates of how the game will end, or exact values'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "evaluate" -d 'Estimates how the game will end, from a look at the position alone'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "link" -d 'Makes links with the names of the documents\' programs'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "completions" -d 'Prints completions for a shell'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "man" -d 'Prints the manual page of the command, or of a program'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "check" -d 'Checks an implementation of a game against petteia (Python package)'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "selfplay" -d 'Writes played games to Parquet files (Python package)'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "playouts" -d 'Plays random games and counts how they end (Python package)'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "match" -d 'Plays two players against each other (Python package)'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "solve-table" -d 'Solves a position in parts, with a journal (Python package)'
complete -c petteia -n "__fish_petteia_using_subcommand help; and not __fish_seen_subcommand_from move-check game-check breakdown quarto reversi play perft solve analyse evaluate link completions man check selfplay playouts match solve-table help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
