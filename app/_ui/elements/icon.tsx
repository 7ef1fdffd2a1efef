import type { ComponentType, ReactNode, SVGProps } from 'react'

/** Returns the component of an icon with these shapes, on a square of 24 units. */
export function drawIcon(shapes: ReactNode): ComponentType<SVGProps<SVGSVGElement>> {
  return properties => (
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
      {shapes}
    </svg>
  )
}
