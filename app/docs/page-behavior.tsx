'use client'

import { useEffect, useState } from 'react'
import { copyText } from '../_ui/elements/copy-text'

const STEP: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }
/** The part of the window, from its top, in which a heading is being read. */
const READ_PART = 0.3
const CONFIRMATION_MS = 4000

/**
 * What a page of the documentation does in the browser: it copies code, changes tabs, opens what a link leads to, and
 * marks the current page and heading in its lists. The page itself is plain HTML.
 */
export function PageBehavior() {
  const [status, setStatus] = useState('')

  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element)) return
      const tab = target.closest<HTMLElement>('[data-code] [role=tab]')
      if (tab) selectTab(tab)
      const button = target.closest<HTMLElement>('[data-copy]')
      if (button) void copyCode(button).then(setStatus)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const step = STEP[event.key]
      const tab = event.target instanceof Element ? event.target.closest('[data-code] [role=tab]') : null
      if (step === undefined || !tab) return
      event.preventDefault()
      const tabs = [...(tab.parentElement?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
      const next = tabs[(tabs.indexOf(tab as HTMLElement) + step + tabs.length) % tabs.length]
      if (!next) return
      selectTab(next)
      next.focus()
    }
    document.addEventListener('click', onClick)
    document.addEventListener('keydown', onKeyDown)
    window.addEventListener('hashchange', revealTarget)
    revealTarget()
    showCurrentPage()
    const stop = followHeadings()
    return () => {
      document.removeEventListener('click', onClick)
      document.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('hashchange', revealTarget)
      stop()
    }
  }, [])

  return (
    <span className="visually-hidden" role="status">
      {status}
    </span>
  )
}

function selectTab(tab: HTMLElement): void {
  const box = tab.closest('[data-code]')
  for (const other of box?.querySelectorAll<HTMLElement>('[role=tab]') ?? []) {
    other.setAttribute('aria-selected', String(other === tab))
    other.tabIndex = other === tab ? 0 : -1
  }
  for (const panel of box?.querySelectorAll<HTMLElement>('[role=tabpanel]') ?? [])
    panel.hidden = panel.id !== tab.getAttribute('aria-controls')
}

/** Copies the visible code beside a button. Returns what a screen reader says. */
async function copyCode(button: HTMLElement): Promise<string> {
  const what = button.dataset.copy ?? ''
  const code = button.closest('[data-code]')?.querySelector('pre:not([hidden])')
  const isCopied = await copyText(code?.textContent ?? '')
  const label = button.querySelector('span')
  const word = isCopied ? 'Copied' : 'Copy manually'
  if (label) label.textContent = word
  button.setAttribute('aria-label', word)
  setTimeout(() => {
    if (label) label.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy ${what}`)
  }, CONFIRMATION_MS)
  return isCopied ? `Copied ${what}` : `The browser blocked copying. Select ${what} and copy manually.`
}

/** Opens everything folded around the element that the URL names. */
function revealTarget(): void {
  const target = document.getElementById(decodeFragment())
  let isFolded = false
  for (
    let fold = target?.closest('details:not([open])');
    fold;
    fold = fold.parentElement?.closest('details:not([open])')
  ) {
    fold.setAttribute('open', '')
    isFolded = true
  }
  if (isFolded) target?.scrollIntoView()
}

function decodeFragment(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1))
  } catch {
    return '' // Not every fragment is valid.
  }
}

/** Scrolls the list of pages to the current one. */
function showCurrentPage(): void {
  for (const link of document.querySelectorAll<HTMLElement>('nav [aria-current=page]')) {
    const list = link.closest<HTMLElement>('[data-side]')
    if (list) list.scrollTop = link.offsetTop - list.clientHeight / 2
  }
}

/** Marks the heading that is being read in the list of headings. Returns a function that stops it. */
function followHeadings(): () => void {
  const list = document.querySelector<HTMLElement>('[data-headings]')
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>('a') ?? [])]
  let frame = 0
  let current: HTMLAnchorElement | undefined

  const mark = () => {
    frame = 0
    const next = links[findCurrent(links.map(link => document.getElementById(link.hash.slice(1))))]
    if (!list || next === current) return
    current?.removeAttribute('aria-current')
    next?.setAttribute('aria-current', 'location')
    current = next
    if (!next) return
    const place = next.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop
    if (place < list.scrollTop || place > list.scrollTop + list.clientHeight - 2 * next.offsetHeight)
      list.scrollTop = place - list.clientHeight / 2
  }
  const onScroll = () => {
    frame ||= requestAnimationFrame(mark)
  }
  mark()
  window.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    window.removeEventListener('scroll', onScroll)
    cancelAnimationFrame(frame)
  }
}

/** Returns the position of the last heading in the upper part of the window or, at the end of the page, in view. */
function findCurrent(headings: (HTMLElement | null)[]): number {
  const { innerHeight, scrollY } = window
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
  const limit = isAtEnd ? innerHeight : innerHeight * READ_PART
  return headings.findLastIndex(heading => {
    if (!heading || heading.getBoundingClientRect().top > limit) return false
    // Examples that stay beside the text are always in view.
    const column = heading.closest('aside')
    return !column || getComputedStyle(column).position !== 'sticky'
  })
}
