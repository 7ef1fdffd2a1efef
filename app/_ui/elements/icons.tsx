import type { ReactNode, SVGProps } from 'react'

function Icon({ children, ...properties }: SVGProps<SVGSVGElement> & { children: ReactNode }) {
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

export function SunIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1" />
    </Icon>
  )
}

export function MoonIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z" />
    </Icon>
  )
}

export function KeyIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <circle cx="8" cy="15" r="4" />
      <path d="m11 12 8-8M16 7l3 3M13.5 9.5l2 2" />
    </Icon>
  )
}

export function CoinsIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <ellipse cx="12" cy="6" rx="7" ry="3" />
      <path d="M5 6v6c0 1.7 3.1 3 7 3s7-1.3 7-3V6M5 12v6c0 1.7 3.1 3 7 3s7-1.3 7-3v-6" />
    </Icon>
  )
}

export function ListIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01" />
    </Icon>
  )
}

export function PlayIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <path d="M7 4.5v15l12-7.5-12-7.5Z" />
    </Icon>
  )
}

export function GearIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
      <circle cx="15" cy="7" r="2" />
      <circle cx="9" cy="17" r="2" />
    </Icon>
  )
}

export function CheckIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Icon>
  )
}

export function CopyIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
      <path d="M15.5 8.5v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2" />
    </Icon>
  )
}

export function WarningIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <path d="M12 4 2.5 20.5h19Z" />
      <path d="M12 10v5M12 17.75v.01" />
    </Icon>
  )
}

export function CrossIcon(properties: SVGProps<SVGSVGElement>) {
  return (
    <Icon {...properties}>
      <path d="m6 6 12 12M18 6 6 18" />
    </Icon>
  )
}
