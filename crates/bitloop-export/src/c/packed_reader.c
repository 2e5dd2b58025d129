/* The codes, one after the other, of CODE_BITS bits each, the low ones first. */
typedef struct {
    const uint8_t *at;
    uint32_t bits;
    int n_bits;
} weight_reader;

static int32_t next_code(weight_reader *reader)
{
    const uint32_t sign = (uint32_t)1 << (CODE_BITS - 1);
    uint32_t code;
    while (reader->n_bits < CODE_BITS) {
        reader->bits |= (uint32_t)*reader->at++ << reader->n_bits;
        reader->n_bits += 8;
    }
    code = reader->bits & (2 * sign - 1);
    reader->bits >>= CODE_BITS;
    reader->n_bits -= CODE_BITS;
    return (int32_t)(code ^ sign) - (int32_t)sign;
}
