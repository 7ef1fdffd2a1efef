'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import classes from './account-nav.module.css'
import { CoinsIcon, GearIcon, KeyIcon, ListIcon, PlayIcon } from './account-icons'

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
