import { Alert, Button, Group, Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import type { ShownCredential } from "./credential-kinds.ts";

interface CredentialTestProps {
  readonly credential: ShownCredential;
  readonly onClose: () => void;
}

/** Types that are sent with a request, so a test needs a URL. */
const ofRequests: readonly string[] = ["bearer", "basic", "header", "query"];

/** Tests a credential against its service and shows the result. */
export function CredentialTest({ credential: { id, name, type }, onClose }: CredentialTestProps) {
  const api = useApi();
  const form = useForm({ initialValues: { url: "" } });
  const test = useMutation({
    mutationFn: (url: string) => api.call("testCredential", { params: { id }, body: url === "" ? {} : { url } }),
  });
  const result = test.isError ? { ok: false, message: sayFailure(test.error) } : test.data;
  return (
    <Modal opened onClose={onClose} title={`Test ${name}`}>
      <form onSubmit={form.onSubmit(({ url }) => test.mutate(url.trim()))}>
        {ofRequests.includes(type) && (
          <TextInput
            label="URL"
            description="The credential is sent to this URL with a GET request. Without one, it is only decrypted."
            placeholder="https://api.example.com/me"
            {...form.getInputProps("url")}
            mb="md"
            data-autofocus
          />
        )}
        {result !== undefined && !test.isPending && (
          <Alert
            role="status"
            color={result.ok ? "green" : "red"}
            title={result.ok ? "It works" : "It did not work"}
            mb="md"
          >
            {result.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={test.isPending}>
            Test
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
