import { sayGiven } from '../kit/format.ts'
import { ShownOnce } from '../kit/secret.tsx'
import { type Credential, Credentials } from './credentials.tsx'

type Token = Credential & { id: string }

/** Personal access tokens: created here with chosen scopes, valid until revoked. */
export const Tokens = () => (
  <Credentials<Token, Token & { token: string }>
    noun="token"
    lede="A personal access token works until you revoke it, with the scopes you choose."
    idOf={({ id }) => id}
    columns={[{ title: 'Scopes', cell: ({ scope }) => <code>{scope}</code> }]}
    secretOf={({ token, name }) => <ShownOnce text={token} label={`Token ${sayGiven(name)}`} />}
    hint="Where you use it, such as laptop."
    without="internal"
    end={{ word: 'Revoke', means: 'It stops working right away.' }}
  />
)
