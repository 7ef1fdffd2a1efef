'use client'

import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'

/**
 * A modal dialog: the rest of the page is inert while it is open. `onLeave` is called when the visitor tries to leave it
 * by Escape; whether that closes it is up to the caller. `step` names what it shows: on a change the heading gets the focus.
 */
export function Modal({ step, title, short = false, onLeave, children }: { step: string | null; title: string; short?: boolean; onLeave: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    if (step === null) return dialog.current?.close()
    if (dialog.current?.open === false) dialog.current.showModal()
    heading.current?.focus()
  }, [step])

  // The browser may close a dialog for reasons of its own, such as a second Escape; what is shown only once must stay.
  const stayOpen = () => step !== null && dialog.current?.open === false && dialog.current.showModal()

  return (
    <dialog
      ref={dialog}
      className={short ? 'short' : undefined}
      aria-labelledby="modal-title"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onLeave()
      }}
      onCancel={event => {
        event.preventDefault()
        onLeave()
      }}
      onClose={stayOpen}
    >
      {step !== null && (
        <div className="stack">
          <h2 id="modal-title" tabIndex={-1} ref={heading}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  )
}
