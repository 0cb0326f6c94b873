/* The C ABI of DLPack 1.3, written from its specification.
 *
 * Everything up to and including `flags` of DLManagedTensorVersioned is promised to
 * keep its place in every later major version; nothing else is. The asserts below
 * hold the layout of a 64-bit platform, which is the only one that xpdl builds for. */
#ifndef XPDL_DLPACK_ABI_H
#define XPDL_DLPACK_ABI_H

#include <stddef.h>
#include <stdint.h>

#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 3

#define DLPACK_FLAG_BITMASK_READ_ONLY (UINT64_C(1) << 0)
#define DLPACK_FLAG_BITMASK_IS_COPIED (UINT64_C(1) << 1)
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (UINT64_C(1) << 2)

typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

typedef enum {
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLOpenCL = 4,
  kDLVulkan = 7,
  kDLMetal = 8,
  kDLVPI = 9,
  kDLROCM = 10,
  kDLROCMHost = 11,
  kDLExtDev = 12,
  kDLCUDAManaged = 13,
  kDLOneAPI = 14,
  kDLWebGPU = 15,
  kDLHexagon = 16,
  kDLMAIA = 17,
  kDLTrn = 18
} DLDeviceType;

typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

typedef enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLOpaqueHandle = 3,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6,
  kDLFloat8_e3m4 = 7,
  kDLFloat8_e4m3 = 8,
  kDLFloat8_e4m3b11fnuz = 9,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e4m3fnuz = 11,
  kDLFloat8_e5m2 = 12,
  kDLFloat8_e5m2fnuz = 13,
  kDLFloat8_e8m0fnu = 14,
  kDLFloat6_e2m3fn = 15,
  kDLFloat6_e3m2fn = 16,
  kDLFloat4_e2m1fn = 17
} DLDataTypeCode;

typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

/* `shape` and `strides` count elements; the first element is at data + byte_offset bytes. */
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

/* The exchange API, version 1.3. Status 0 is success, -1 an error: a Python exception
 * where the GIL is held, a call of set_error in the allocator, which runs without it. */
typedef void (*DLPackSetError)(void *error_ctx, const char *kind, const char *message);

typedef struct DLPackExchangeAPIHeader {
  DLPackVersion version;
  struct DLPackExchangeAPIHeader *prev_api;
} DLPackExchangeAPIHeader;

typedef struct {
  DLPackExchangeAPIHeader header;
  int (*managed_tensor_allocator)(DLTensor *prototype, DLManagedTensorVersioned **out,
                                  void *error_ctx, DLPackSetError set_error);
  int (*managed_tensor_from_py_object_no_sync)(void *py_object, DLManagedTensorVersioned **out);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned *tensor,
                                             void **out_py_object);
  int (*dltensor_from_py_object_no_sync)(void *py_object, DLTensor *out);
  int (*current_work_stream)(DLDeviceType device_type, int32_t device_id, void **out_stream);
} DLPackExchangeAPI;

/* An array of a negative length is refused by every compiler, also those without C11. */
#define XPDL_ASSERT(name, condition) typedef char xpdl_assert_##name[(condition) ? 1 : -1]
#define XPDL_ASSERT_SIZE(type, size) XPDL_ASSERT(size_of_##type, sizeof(type) == (size))
#define XPDL_ASSERT_OFFSET(type, field, offset) \
  XPDL_ASSERT(offset_of_##type##_##field, offsetof(type, field) == (offset))

XPDL_ASSERT_SIZE(size_t, 8);
XPDL_ASSERT_SIZE(DLPackVersion, 8);
XPDL_ASSERT_SIZE(DLDevice, 8);
XPDL_ASSERT_SIZE(DLDataType, 4);
XPDL_ASSERT_SIZE(DLTensor, 48);
XPDL_ASSERT_OFFSET(DLTensor, device, 8);
XPDL_ASSERT_OFFSET(DLTensor, ndim, 16);
XPDL_ASSERT_OFFSET(DLTensor, dtype, 20);
XPDL_ASSERT_OFFSET(DLTensor, shape, 24);
XPDL_ASSERT_OFFSET(DLTensor, strides, 32);
XPDL_ASSERT_OFFSET(DLTensor, byte_offset, 40);
XPDL_ASSERT_SIZE(DLManagedTensor, 64);
XPDL_ASSERT_OFFSET(DLManagedTensor, manager_ctx, 48);
XPDL_ASSERT_OFFSET(DLManagedTensor, deleter, 56);
XPDL_ASSERT_SIZE(DLManagedTensorVersioned, 80);
XPDL_ASSERT_OFFSET(DLManagedTensorVersioned, manager_ctx, 8);
XPDL_ASSERT_OFFSET(DLManagedTensorVersioned, deleter, 16);
XPDL_ASSERT_OFFSET(DLManagedTensorVersioned, flags, 24);
XPDL_ASSERT_OFFSET(DLManagedTensorVersioned, dl_tensor, 32);
XPDL_ASSERT_SIZE(DLPackExchangeAPIHeader, 16);
XPDL_ASSERT_SIZE(DLPackExchangeAPI, 56);

#endif
