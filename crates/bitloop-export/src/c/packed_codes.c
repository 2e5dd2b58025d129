/* The code at INDEX; codes have CODE_BITS bits each, the low ones first, and follow each other without gaps. */
static int32_t code_at(int32_t index)
{
    const uint32_t at = (uint32_t)index * CODE_BITS;
    const uint32_t sign = (uint32_t)1 << (CODE_BITS - 1);
    const uint8_t *byte = weights + (at >> 3);
    uint32_t code = byte[0] | (uint32_t)byte[1] << 8;
#if CODE_BITS > 9
    code |= (uint32_t)byte[2] << 16;
#endif
#if CODE_BITS > 17
    code |= (uint32_t)byte[3] << 24;
#endif
    code = code >> (at & 7) & (2 * sign - 1);
    return (int32_t)(code ^ sign) - (int32_t)sign;
}
