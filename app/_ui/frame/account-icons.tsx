import type { SVGProps } from 'react'
import { Icon } from '../elements/icon'

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
