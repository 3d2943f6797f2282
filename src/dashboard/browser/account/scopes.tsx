import { type Scope, scopes } from '../../../lib/scopes.ts'
import { usePerson } from '../kit/person.tsx'
import { settings } from '../kit/settings.ts'

const meanings: Record<Scope, string> = {
  'read:published': 'read what is published',
  'read:draft': 'read drafts, too',
  'read:all-status': 'read everything, whatever its status',
  write: 'create and change; without a read scope only what refers to nothing',
  delete: 'delete',
  internal: 'what operators do; an operator has to approve the client first',
}

/** The scopes to choose from: what this account may grant. A personal token cannot carry `internal`. */
export const ScopeChoice = ({ without }: { without?: Scope }) => {
  const isOperator = usePerson().person?.operator
  const grantable = scopes.filter((scope) => scope !== without && (isOperator || settings.grantable.includes(scope)))
  return (
    <fieldset>
      <legend>Scopes</legend>
      {grantable.map((scope) => (
        <label key={scope} class="choice">
          <input type="checkbox" name={`scope ${scope}`} defaultChecked={scope === 'read:published'} />
          <span>
            <code>{scope}</code> <span class="faint">{meanings[scope]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The chosen scopes as the API takes them: a text with spaces. */
export const chosenScope = (values: Record<string, string>) =>
  scopes.filter((scope) => `scope ${scope}` in values).join(' ')
