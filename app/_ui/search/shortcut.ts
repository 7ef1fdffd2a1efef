import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

const TYPING = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'
const OPEN_DIALOG = 'dialog[open], [aria-modal="true"]'

/** Whether a key press is Ctrl-K, or Cmd-K on a Mac. On a Mac, Ctrl-K deletes text. */
export function isCommandK({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent | ReactKeyboardEvent): boolean {
  const isMac = /Mac|iP/.test(navigator.platform)
  return key.toLowerCase() === 'k' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey
}

/** Whether a key press opens the search: Ctrl-K, Cmd-K, or a slash outside of fields. Nothing opens over a dialog. */
export function opensSearch(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented, target } = event
  if (defaultPrevented || isComposing || document.querySelector(OPEN_DIALOG)) return false
  if (isCommandK(event)) return true
  return key === '/' && !ctrlKey && !metaKey && !altKey && !(target instanceof Element && target.closest(TYPING))
}
