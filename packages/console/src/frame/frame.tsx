import { queryOptions } from '@quire/client/query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams, useSearch } from '@tanstack/react-router'
import { branchSearch } from '../content/search.ts'
import { packageFilter } from '../packages/filter.ts'
import { SignIn } from '../session/sign-in.tsx'
import { isSignedOut, quire, serviceUrl } from '../service.ts'
import { languages, useLanguage, useWords } from '../words/language.tsx'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { useFocusRecovery } from './focus-recovery.ts'
import { PackageSwitch } from './package-switch.tsx'
import { Problem } from '../controls/problem.tsx'

/** The frame of every view: where one is, who one is, and the view; or the way to sign in. */
export function Frame() {
  const { words } = useLanguage()
  const me = useQuery(queryOptions(quire, 'user.me', {}))
  useFocusRecovery()
  return (
    <>
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <Bar name={isSignedOut(me.error) ? undefined : me.data?.name} />
      {isSignedOut(me.error) ? (
        <SignIn />
      ) : (
        <main id="content" tabIndex={-1}>
          <Problem error={me.error} onRetry={() => void me.refetch()} />
          {me.data && <Outlet />}
        </main>
      )}
      <Foot isSignedIn={!isSignedOut(me.error)} />
    </>
  )
}

/** The bar at the top. Without a name, nobody is signed in. */
function Bar({ name }: { readonly name: string | undefined }) {
  const words = useWords()
  const { repo, packageName } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  // One goes on working in the same package.
  const branch = branchSearch({ in: packageName ?? search.in, locale: search.locale })
  const views = [
    ['/$repo/content', words.content.title],
    ['/$repo/assets', words.assets.title],
    ['/$repo/folders', words.trees.folders],
    ['/$repo/categories', words.trees.categories],
    ['/$repo/sites', words.sites.title],
  ] as const
  const signOut = useMutation({
    mutationFn: () => quire.auth.closeSession({}),
    // Forgets all that this person has read.
    onSuccess: () => location.reload(),
  })
  return (
    <header>
      <Link to="/" className="brand">
        Quire
      </Link>
      {name !== undefined && repo !== undefined && (
        <>
          <nav aria-label={repo}>
            <strong dir="auto">{repo}</strong>
            {views.map(([to, text]) => (
              <Link
                key={to}
                to={to}
                params={{ repo }}
                search={branch}
                activeProps={{ 'aria-current': 'page' }}
              >
                {text}
              </Link>
            ))}
            <Link
              to="/$repo/packages"
              params={{ repo }}
              search={packageFilter({ ...branch })}
              activeProps={{ 'aria-current': 'page' }}
            >
              {words.packages.title}
            </Link>
          </nav>
          <PackageSwitch repo={repo} />
        </>
      )}
      <span className="space" />
      {name !== undefined && (
        <>
          {repo === undefined && <Link to="/">{words.repositories}</Link>}
          <Link to="/-" activeProps={{ 'aria-current': 'page' }}>
            {words.operate.title}
          </Link>
          <span dir="auto">{words.signedInAs(name)}</span>
          <Act isBusy={signOut.isPending} onAct={() => signOut.mutate()}>
            {words.signOut}
          </Act>
        </>
      )}
    </header>
  )
}

/** What one seldom needs, below the view. */
function Foot({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { words, language, choose } = useLanguage()
  return (
    <footer className="row">
      <Choice label={words.language} options={languages} value={language} onChange={choose} />
      {isSignedIn && <a href={`${serviceUrl}/api-docs`}>{words.explorer}</a>}
    </footer>
  )
}
