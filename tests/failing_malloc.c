/* Preloaded into a process: allocations fail when a test wants them to, and tensors whose
 * deletions are counted in C, where no allocation can get in the way of counting.
 *
 * Build: gcc -shared -fPIC -O1 -o failing_malloc.so failing_malloc.c */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static long left = -1; /* allocations of the armed thread before the first that fails */
static long failing;   /* how many fail from there on */
static long failed;
static int thread;

/* From now on let `skip` allocations of this thread pass and the next `count` fail. */
void arm(long skip, long count) {
  thread = gettid();
  failed = 0;
  failing = count;
  left = skip;
}

/* Stop, and tell how many failed. */
long disarm(void) {
  left = -1;
  return failed;
}

static int fails(void) {
  if (left < 0 || gettid() != thread) return 0;
  if (left > 0) {
    left--;
    return 0;
  }
  if (failing == 0) return 0;
  failing--;
  failed++;
  errno = ENOMEM;
  return 1;
}

long alive; /* blocks that are allocated */

static void *counted(void *block) {
  if (block != NULL) alive++;
  return block;
}

void *malloc(size_t size) { return fails() ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : counted(__libc_calloc(n, size)); }
void *aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : counted(__libc_memalign(alignment, size));
}
void free(void *block) {
  if (block != NULL) alive--;
  __libc_free(block);
}
void *realloc(void *block, size_t size) {
  if (block == NULL) return malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  return fails() ? NULL : __libc_realloc(block, size);
}
int posix_memalign(void **out, size_t alignment, size_t size) {
  void *block = aligned_alloc(alignment, size);
  if (block == NULL) return ENOMEM;
  *out = block;
  return 0;
}

/* ------------------------------------------------------------------------------------ tensors
 * Two rows of three float64 and a version, laid out after the tables of the specification. */
typedef struct {
  uint64_t version; /* major, minor */
  void *context, (*deleter)(void *);
  uint64_t flags;
} Head;
typedef struct {
  void *data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} Tensor;
typedef struct {
  Head head;
  Tensor tensor;
} Versioned;
typedef struct {
  Tensor tensor;
  void *context, (*deleter)(void *);
} Legacy;

long made, deleted;
static double values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static int64_t shape[2] = {2, 3}, strides[2] = {3, 1};

static void delete_block(void *block) {
  deleted++;
  __libc_free(block);
}

static Tensor describe(int32_t ndim, uint64_t byte_offset) {
  Tensor tensor = {values, 1, 0, ndim, 2, 64, 1, shape, strides, byte_offset};
  return tensor;
}

void *make_versioned(int32_t ndim, uint64_t byte_offset, uint64_t flags) {
  Versioned *managed = __libc_malloc(sizeof *managed);
  Head head = {1 | (uint64_t)3 << 32, NULL, delete_block, flags};
  managed->head = head;
  managed->tensor = describe(ndim, byte_offset);
  made++;
  return managed;
}

void *make_legacy(int32_t ndim, uint64_t byte_offset) {
  Legacy *managed = __libc_malloc(sizeof *managed);
  managed->tensor = describe(ndim, byte_offset);
  managed->context = NULL;
  managed->deleter = delete_block;
  made++;
  return managed;
}

/* The slot of an exchange API: a new tensor of any object. */
int from_object(void *object, void **out) {
  (void)object;
  *out = make_versioned(2, 0, 0);
  return 0;
}
