/** The document's attribute once the scripts of the page handle its clicks. */
export const READY_ATTRIBUTE = 'data-ready'
/** The attribute of controls whose click waits for the scripts. */
const KEPT_ATTRIBUTE = 'data-kept'
/** The event on the document when the scripts handle clicks. */
export const READY_EVENT = 'sheaf-ready'

/**
 * A script that runs before the first paint. It keeps clicks on buttons and fields until the scripts of the page handle
 * them, and then performs them in their order. Links and forms that work without scripts are left alone. Browsers
 * don't open a file chooser long after a click. Its control then has the focus.
 */
export const KEEP_CLICKS = `{
  const kept = new Set()
  const keep = event => {
    const control = event.target.closest('button, [role="button"], input:is([type="checkbox"], [type="radio"], [type="file"])')
    const form = control?.type === 'submit' ? control.form : null
    if (!control || (form && (form.method === 'get' || form.hasAttribute('action')))) return
    event.preventDefault()
    event.stopPropagation()
    kept.add(control)
    control.setAttribute('${KEPT_ATTRIBUTE}', '')
  }
  addEventListener('click', keep, true)
  document.addEventListener('${READY_EVENT}', () => {
    removeEventListener('click', keep, true)
    for (const control of kept) {
      control.removeAttribute('${KEPT_ATTRIBUTE}')
      control.focus()
      control.click()
    }
  }, { once: true })
}`
