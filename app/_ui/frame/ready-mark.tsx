'use client'

import { useEffect } from 'react'
import { READY_ATTRIBUTE, READY_EVENT } from './kept-clicks'

/** Marks the document once its scripts handle clicks, and has the clicks performed that came before. */
export function ReadyMark() {
  useEffect(() => {
    document.documentElement.setAttribute(READY_ATTRIBUTE, '')
    document.dispatchEvent(new Event(READY_EVENT))
  }, [])
  return null
}
