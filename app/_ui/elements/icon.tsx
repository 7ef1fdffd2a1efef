import type { ReactNode, SVGProps } from 'react'

/** The frame of an icon. */
export function Icon({ children, ...properties }: SVGProps<SVGSVGElement> & { children: ReactNode }) {
  return (
    <svg
      width="1.25em"
      height="1.25em"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...properties}
    >
      {children}
    </svg>
  )
}
