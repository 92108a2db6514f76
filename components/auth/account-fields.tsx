import { PasswordInput, TextInput } from "@mantine/core";

interface FieldProps {
  readonly error: string | undefined;
}

const wanted = { required: true, withAsterisk: false } as const;

export function NameField({ error }: FieldProps) {
  return <TextInput name="name" label="Your name" autoComplete="name" autoFocus error={error} {...wanted} />;
}

export function EmailField({ error, autoFocus = false }: FieldProps & { readonly autoFocus?: boolean }) {
  const shown = { name: "email", type: "email", label: "Email", autoComplete: "username" };
  return <TextInput {...shown} autoFocus={autoFocus} error={error} {...wanted} />;
}

export function NewPasswordField({ error, label = "Password" }: FieldProps & { readonly label?: string }) {
  return (
    <PasswordInput
      name="password"
      label={label}
      description="At least 8 characters."
      autoComplete="new-password"
      error={error}
      visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
      {...wanted}
    />
  );
}

export function WorkspaceField({ error }: FieldProps) {
  const shown = { name: "workspaceName", label: "Workspace", description: "The name of your team or company." };
  return <TextInput {...shown} autoComplete="organization" error={error} {...wanted} />;
}
