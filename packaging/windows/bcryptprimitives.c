/* The one function of bcryptprimitives.dll that Rust's standard library calls, for wine before 9, which lacks it.
 * Put beside rhawk.exe for trying it there; Windows itself has the library. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) { return SystemFunction036(buffer, length); }
