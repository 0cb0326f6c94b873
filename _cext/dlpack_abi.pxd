"""The names of dlpack_abi.h for Cython, all extern: the header decides the layout."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "dlpack_abi.h" nogil:
    const uint32_t DLPACK_MAJOR_VERSION
    const uint32_t DLPACK_MINOR_VERSION
    const uint64_t READ_ONLY "DLPACK_FLAG_BITMASK_READ_ONLY"
    const uint64_t IS_COPIED "DLPACK_FLAG_BITMASK_IS_COPIED"
    const uint64_t SUBBYTE_PADDED "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED"

    ctypedef enum DLDeviceType:
        kDLCPU
        kDLCUDA
        kDLCUDAHost
        kDLROCM
        kDLROCMHost
        kDLCUDAManaged

    ctypedef enum DLDataTypeCode:
        kDLInt
        kDLUInt
        kDLFloat
        kDLBfloat
        kDLComplex
        kDLBool
        kDLFloat8_e3m4
        kDLFloat8_e4m3
        kDLFloat8_e4m3b11fnuz
        kDLFloat8_e4m3fn
        kDLFloat8_e4m3fnuz
        kDLFloat8_e5m2
        kDLFloat8_e5m2fnuz
        kDLFloat8_e8m0fnu
        kDLFloat6_e2m3fn
        kDLFloat6_e3m2fn
        kDLFloat4_e2m1fn

    ctypedef struct DLPackVersion:
        uint32_t major
        uint32_t minor

    ctypedef struct DLDevice:
        DLDeviceType device_type
        int32_t device_id

    ctypedef struct DLDataType:
        uint8_t code
        uint8_t bits
        uint16_t lanes

    ctypedef struct DLTensor:
        void* data
        DLDevice device
        int32_t ndim
        DLDataType dtype
        int64_t* shape
        int64_t* strides
        uint64_t byte_offset

    ctypedef struct DLManagedTensor:
        DLTensor dl_tensor
        void* manager_ctx
        void (*deleter)(DLManagedTensor*) noexcept

    ctypedef struct DLManagedTensorVersioned:
        DLPackVersion version
        void* manager_ctx
        void (*deleter)(DLManagedTensorVersioned*) noexcept
        uint64_t flags
        DLTensor dl_tensor

    ctypedef void (*DLPackSetError)(void*, const char*, const char*) noexcept

    ctypedef struct DLPackExchangeAPIHeader:
        DLPackVersion version
        DLPackExchangeAPIHeader* prev_api

    ctypedef struct DLPackExchangeAPI:
        DLPackExchangeAPIHeader header
        int (*managed_tensor_allocator)(
            DLTensor*, DLManagedTensorVersioned**, void*, DLPackSetError) noexcept
        int (*managed_tensor_from_py_object_no_sync)(
            void*, DLManagedTensorVersioned**) except? -1
        int (*managed_tensor_to_py_object_no_sync)(
            DLManagedTensorVersioned*, void**) except? -1
        int (*dltensor_from_py_object_no_sync)(void*, DLTensor*) except? -1
        int (*current_work_stream)(DLDeviceType, int32_t, void**) except? -1
