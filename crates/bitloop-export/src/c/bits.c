static uint64_t word_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static double value_of(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}
