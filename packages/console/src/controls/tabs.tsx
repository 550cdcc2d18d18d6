import { Link, type LinkProps } from '@tanstack/react-router'

type Address = NonNullable<LinkProps['to']>

interface TabsProps {
  readonly label: string
  /** The texts of the links, by the address of the view. */
  readonly tabs: Readonly<Partial<Record<Address, string>>>
  /** Whether the parameters after the question mark belong to the thing, and not to the view. */
  readonly keepsSearch?: boolean
}

/** Links to the views of one thing. */
export function Tabs({ label, tabs, keepsSearch = false }: TabsProps) {
  const links = Object.entries(tabs) as [Address, string][]
  return (
    <nav className="tabs" aria-label={label}>
      {links.map(([to, text]) => (
        <Link
          key={to}
          to={to}
          params
          search={keepsSearch ? true : {}}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
