/** Copies a text to the clipboard. Returns false if the browser doesn't allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text) // With plain HTTP, browsers only have a clipboard API on localhost.
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  const previousFocus = document.activeElement
  // A modal dialog takes the focus back from everything outside of it.
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (previousFocus instanceof HTMLElement) previousFocus.focus()
  return isCopied
}
