/* A product that is rounded before anything is added to it, whatever the compiler may fuse. */
static double rounded_product(double x, double y)
{
    volatile double product = x * y;
    return product;
}
