'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import classes from './account-nav.module.css'
import { drawIcon } from '../elements/icon'

const KeyIcon = drawIcon(
  <>
    <circle cx="8" cy="15" r="4" />
    <path d="m11 12 8-8M16 7l3 3M13.5 9.5l2 2" />
  </>,
)

const CoinsIcon = drawIcon(
  <>
    <ellipse cx="12" cy="6" rx="7" ry="3" />
    <path d="M5 6v6c0 1.7 3.1 3 7 3s7-1.3 7-3V6M5 12v6c0 1.7 3.1 3 7 3s7-1.3 7-3v-6" />
  </>,
)

const ListIcon = drawIcon(<path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01" />)

const PlayIcon = drawIcon(<path d="M7 4.5v15l12-7.5-12-7.5Z" />)

const GearIcon = drawIcon(
  <>
    <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
    <circle cx="15" cy="7" r="2" />
    <circle cx="9" cy="17" r="2" />
  </>,
)

const PAGES = [
  { href: '/account', title: 'API access', Icon: KeyIcon },
  { href: '/account/credits', title: 'Credits', Icon: CoinsIcon },
  { href: '/account/calls', title: 'Requests', Icon: ListIcon },
  { href: '/account/playground', title: 'Playground', Icon: PlayIcon },
  { href: '/account/settings', title: 'Settings', Icon: GearIcon },
] as const

/** The pages of the account area: a column on wide screens, and a row that scrolls on narrow screens. */
export function AccountNav() {
  const currentPath = usePathname()
  const current = useRef<HTMLAnchorElement>(null)

  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [currentPath])

  return (
    <nav aria-label="Account" className={classes.nav}>
      <ul>
        {PAGES.map(({ href, title, Icon }) => {
          const isHere =
            href === '/account' ? currentPath === href : currentPath === href || currentPath.startsWith(`${href}/`)
          return (
            <li key={href}>
              <Link
                ref={isHere ? current : undefined}
                href={href}
                prefetch={false}
                aria-current={isHere ? 'page' : undefined}
              >
                <Icon />
                {title}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
