// The program of every link test: that it links and its initialisers run is the test.
int main() { return 0; }
