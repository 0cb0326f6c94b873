# Compiled as it stands; nothing of it is used from C.
