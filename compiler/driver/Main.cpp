#include "driver/Commands.h"

int main(int argc, char** argv) { return tikc::driver::run(argc, argv); }
