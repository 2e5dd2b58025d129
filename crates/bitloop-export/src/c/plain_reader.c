/* The codes, one after the other. */
typedef struct {
    const weight_code *at;
} weight_reader;

static int32_t next_code(weight_reader *reader)
{
    return *reader->at++;
}
