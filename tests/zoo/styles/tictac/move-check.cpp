#include "Move.h"
#include <iostream>

int main()
{
    std::string line;
    std::getline(std::cin, line);
    try {
        std::cout << Move(line).toString() << std::endl;
    } catch (const ParseError& error) {
        std::cout << error.what() << std::endl;
        return 1;
    }
}
