! auto_oscillator.f90 -- a damped oscillator, driven, for AUTO-07p: x, x' and the drive as two more states.
!   x'' + 2 z x' + x + k x^3 = F c,   s' = s + w c - s (s^2 + c^2),  c' = c - w s - c (s^2 + c^2)
!   par: 1 F, 2 w, 3 z, 4 k, 11 period. With k = 0 the first orbit is known in closed form.
subroutine func(ndim, u, icp, par, ijac, f, dfdu, dfdp)
    implicit none
    integer, intent(in) :: ndim, icp(*), ijac
    double precision, intent(in) :: u(ndim), par(*)
    double precision, intent(out) :: f(ndim)
    double precision, intent(inout) :: dfdu(ndim, *), dfdp(ndim, *)
    double precision :: r
    r = u(3)**2 + u(4)**2
    f(1) = u(2)
    f(2) = par(1)*u(4) - 2*par(3)*u(2) - u(1) - par(4)*u(1)**3
    f(3) = u(3) + par(2)*u(4) - u(3)*r
    f(4) = u(4) - par(2)*u(3) - u(4)*r
end subroutine func

subroutine stpnt(ndim, u, par, t)
    implicit none
    integer, intent(in) :: ndim
    double precision, intent(inout) :: u(ndim), par(*)
    double precision, intent(in) :: t
    double precision :: w, z, d, a, b, p
    w = 0.3d0
    z = 0.05d0
    par(1) = 1
    par(2) = w
    par(3) = z
    par(4) = 0
    par(11) = 8*atan(1d0)/w
    d = (1 - w*w)**2 + (2*z*w)**2
    a = (1 - w*w)/d
    b = 2*z*w/d
    p = 8*atan(1d0)*t
    u(1) = a*cos(p) + b*sin(p)
    u(2) = w*(b*cos(p) - a*sin(p))
    u(3) = sin(p)
    u(4) = cos(p)
end subroutine stpnt

subroutine bcnd
end subroutine bcnd

subroutine icnd
end subroutine icnd

subroutine fopt
end subroutine fopt

subroutine pvls
end subroutine pvls
