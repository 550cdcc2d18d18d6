import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'

const route = getRouteApi('/$repo/content/$id')

/** Opens the field that the address names, once it is there and can be edited. */
export function useNamedField(isThere: boolean): void {
  const { field } = route.useSearch()
  const navigate = route.useNavigate()
  useEffect(() => {
    if (field === undefined || !isThere) return
    openField(field)
    void navigate({ search: (before) => ({ ...before, field: undefined }), replace: true })
  }, [field, isThere, navigate])
}

/** Longer paths name nothing: a page in a frame can send any. */
export const longestPath = 500

/**
 * Brings the control of a member into view and focuses it: the nearest one on the way to it, if it has
 * none of its own. `path` is in dot notation.
 */
export function openField(path: string): void {
  if (path.length > longestPath) return
  const found = document.querySelector(`[data-path="${CSS.escape(path)}"]`)
  const end = path.lastIndexOf('.')
  if (!found) return end < 0 ? undefined : openField(path.slice(0, end))
  found.closest('details')?.setAttribute('open', '')
  const control =
    found.querySelector<HTMLElement>('input, textarea, select, [contenteditable=true]') ??
    found.querySelector<HTMLElement>('button')
  control?.focus({ preventScroll: true })
  found.scrollIntoView({ block: 'center' })
}
