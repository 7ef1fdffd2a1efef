'use client'

import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import classes from './dialog.module.css'

interface Props {
  opened: boolean
  title: string
  /** The visitor pressed Escape or clicked beside the dialog. The caller decides whether to close it. */
  onLeave: () => void
  /** The dialog has left the page, and the caller must restore the focus. */
  onGone: () => void
  wide?: boolean
  children: ReactNode
}

/**
 * A modal dialog. It has a title and no bar: a second banner on the page would mislead screen readers. The element with
 * `data-autofocus` has the focus first, or else the first control.
 */
export function Dialog({ opened, title, onLeave, onGone, wide = false, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const dialog = element.current
    if (!opened || dialog === null) return
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog.close()
  }, [opened])

  return (
    // Browsers close a dialog at the second Escape in a row, whatever the page does. Only the caller may close this one.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a click beside the dialog, for which keyboards have Escape
    <dialog
      ref={element}
      aria-labelledby={titleId}
      className={wide ? `${classes.dialog} ${classes.wide}` : classes.dialog}
      onCancel={event => event.preventDefault()}
      onClose={() => (opened ? element.current?.showModal() : onGone())}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onLeave()
      }}
      onMouseDown={(event: MouseEvent) => event.target === event.currentTarget && onLeave()}
    >
      {opened && (
        <div className={classes.body}>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  )
}
