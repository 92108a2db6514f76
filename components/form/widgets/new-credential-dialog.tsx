import { Button, Group, Modal, NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { explainFailure } from "#components/page/explain-failure.ts";
import styles from "../field.module.css";

interface Part {
  readonly name: string;
  readonly label: string;
  readonly secret: boolean;
}

const plain = (name: string, label: string): Part => ({ name, label, secret: false });
const secret = (name: string, label: string): Part => ({ name, label, secret: true });

/** What each type of credential is made of. */
const parts = {
  bearer: [secret("token", "Token")],
  basic: [plain("username", "User name"), secret("password", "Password")],
  header: [plain("name", "Header"), secret("value", "Value")],
  query: [plain("name", "Parameter"), secret("value", "Value")],
  secret: [secret("value", "Value")],
} as const satisfies Record<string, readonly Part[]>;

type Type = keyof typeof parts;
const types = Object.keys(parts).filter((name): name is Type => Object.hasOwn(parts, name));

interface NewCredentialDialogProps {
  readonly onClose: () => void;
  readonly onMade: (name: string) => void;
}

/** Stores a credential without leaving the form that needs it. */
export function NewCredentialDialog({ onClose, onMade }: NewCredentialDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [type, setType] = useState<Type>("bearer");
  const [data, setData] = useState<Record<string, string>>({});
  const make = useMutation({
    mutationFn: () => api.call("createCredential", { body: bodyOf(name, type, data) }),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ["credentials"] });
      onMade(made.name);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    make.mutate();
  };
  return (
    <Modal opened onClose={onClose} title="New credential">
      <form onSubmit={submit} className={styles.fields}>
        <TextInput
          data-autofocus
          label="Name"
          description="As expressions write it: $credentials.name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
        />
        <NativeSelect
          label="Type"
          value={type}
          onChange={(event) => setType(types.find((one) => one === event.currentTarget.value) ?? "bearer")}
          data={types}
        />
        {parts[type].map((part) => {
          const Input = part.secret ? PasswordInput : TextInput;
          return (
            <Input
              key={`${type} ${part.name}`}
              label={part.label}
              value={data[part.name] ?? ""}
              onChange={(event) => setData({ ...data, [part.name]: event.currentTarget.value })}
              autoComplete="off"
              required
            />
          );
        })}
        {make.isError && <p className={styles.problem}>{explainFailure(make.error).why}</p>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Store it
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function bodyOf(name: string, type: Type, data: Readonly<Record<string, string>>) {
  const of = (part: string) => data[part] ?? "";
  switch (type) {
    case "bearer":
      return { name, type, data: { token: of("token") } };
    case "basic":
      return { name, type, data: { username: of("username"), password: of("password") } };
    case "secret":
      return { name, type, data: { value: of("value") } };
    default:
      return { name, type, data: { name: of("name"), value: of("value") } };
  }
}
