// Speaks the line protocol of docs/conformance.md through the Reversi course's Model.

#include "model.hxx"
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#ifdef PETTEIA_NAMESPACE
using namespace PETTEIA_NAMESPACE;
#endif

static char letter(Player player)
{
    return player == Player::dark ? 'D' : player == Player::light ? 'L' : '_';
}

static void show(Model const &model, int width, int height)
{
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) std::cout << letter(model[{x, y}]);
        std::cout << '\n';
    }
    std::cout << "turn " << letter(model.turn()) << "\nwinner " << letter(model.winner()) << "\nmoves";
    for (int x = 0; x < width; ++x) {
        for (int y = 0; y < height; ++y) {
            if (model.find_move({x, y})) std::cout << ' ' << x << ',' << y;
        }
    }
    std::cout << std::endl;
}

int main()
{
    std::unique_ptr<Model> model;
    std::string line, command;
    int width = 0, height = 0;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        int x = 0, y = 0;
        words >> command >> x >> y;
        if (command == "new") {
            width = x, height = y;
            model.reset(new Model(width, height));
            show(*model, width, height);
        } else if (command == "play") {
            // A move that is not allowed is an exception.
            bool played = false;
            try {
                model->play_move({x, y});
                played = true;
            } catch (...) {
                std::cout << "illegal" << std::endl;
            }
            if (played) show(*model, width, height);
        } else if (auto const *move = model->find_move({x, y})) {
            std::cout << "gains";
            for (auto p : move->second) std::cout << ' ' << p.x << ',' << p.y;
            std::cout << std::endl;
        } else {
            std::cout << "none" << std::endl;
        }
    }
    return 0;
}
