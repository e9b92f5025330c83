#include "ge211.hxx"
