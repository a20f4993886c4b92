c====>Begin Module FOO  File foo.f
c---->Makedcls Options: All variables
      SUBROUTINE FOO
c     Common variables
      REAL                A, B
      INTEGER             N
      COMMON / BLK / A, B, N
c====>End Module   FOO
