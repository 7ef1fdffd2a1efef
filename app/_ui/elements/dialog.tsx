'use client'

import { ModalBody, ModalContent, ModalOverlay, ModalRoot, ModalTitle } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
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

/** A modal dialog. It has a title and no bar: a second banner on the page would mislead screen readers. */
export function Dialog({ opened, title, onLeave, onGone, wide = false, children }: Props) {
  const leaveByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onLeave()
  }
  return (
    <ModalRoot
      opened={opened}
      onClose={onLeave}
      closeOnEscape={false}
      onExitTransitionEnd={onGone}
      returnFocus={false}
      size={wide ? '44rem' : '32rem'}
      centered
      onKeyDown={leaveByKey}
    >
      <ModalOverlay />
      <ModalContent>
        <ModalBody className={classes.body}>
          <ModalTitle className={classes.title}>{title}</ModalTitle>
          {children}
        </ModalBody>
      </ModalContent>
    </ModalRoot>
  )
}
