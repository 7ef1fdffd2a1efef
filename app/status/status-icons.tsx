import type { SVGProps } from 'react'
import { Icon } from '../_ui/elements/icon'

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
