static int32_t code_at(int32_t index)
{
    return weights[index];
}
