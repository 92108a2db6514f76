import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  Input,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

const mill: MantineColorsTuple = [
  "#e1f1f2",
  "#cbe6e8",
  "#9fd2d7",
  "#6fbec6",
  "#4db7c3",
  "#2394a0",
  "#128491",
  "#0b6f7b",
  "#085b65",
  "#05474f",
];

/** Mantine's dark greys in the tokens' hue, from text to the deepest background. */
const dark: MantineColorsTuple = [
  "#e7ecec",
  "#c3cbce",
  "#a3adb1",
  "#8b969b",
  "#3b4549",
  "#252c2f",
  "#171c1e",
  "#101415",
  "#0d1112",
  "#0b0e0f",
];

/** Buttons use the tokens' colours, so that both schemes keep their designed contrast. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const danger = input.color === "red";
  const ink = danger ? "var(--status-failed)" : "var(--accent-text)";
  const soft = danger ? "var(--status-failed-soft)" : "var(--accent-soft)";
  if (input.variant === "filled") {
    return {
      background: danger ? "var(--status-failed)" : "var(--accent)",
      hover: danger ? "var(--danger-hover)" : "var(--accent-hover)",
      color: danger ? "var(--danger-contrast)" : "var(--accent-contrast)",
      border: "1px solid transparent",
    };
  }
  if (input.variant === "default") {
    return {
      background: "var(--surface-raised)",
      hover: "var(--surface-hover)",
      color: danger ? ink : "var(--text)",
      border: "1px solid var(--line-strong)",
    };
  }
  if (input.variant === "subtle") {
    return {
      background: "transparent",
      hover: danger ? soft : "var(--surface-hover)",
      color: danger ? ink : "var(--text-muted)",
      border: "1px solid transparent",
    };
  }
  if (input.variant === "light") return { background: soft, hover: soft, color: ink, border: "1px solid transparent" };
  return defaultVariantColorsResolver(input);
};

export const theme = createTheme({
  colors: { mill, dark },
  primaryColor: "mill",
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver,
  fontFamily: "var(--font-sans)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "14px", xl: "20px" },
  lineHeights: { xs: "1.35", sm: "1.4", md: "1.45", lg: "1.45", xl: "1.3" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "10px", xl: "14px" },
  defaultRadius: "sm",
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "20px" }, h2: { fontSize: "14px" }, h3: { fontSize: "13px" } },
  },
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      vars: () => ({
        root: {
          "--button-height": "var(--control-height)",
          "--button-padding-x": "12px",
          "--button-fz": "var(--size-panel)",
        },
      }),
      styles: { label: { fontWeight: 500 } },
    }),
    Input: Input.extend({
      vars: () => ({ wrapper: { "--input-height": "var(--control-height)", "--input-fz": "var(--control-text)" } }),
      styles: { input: { color: "var(--text)", textOverflow: "ellipsis" } },
    }),
    InputWrapper: { styles: { label: { fontWeight: 500, marginBottom: 4 }, error: { marginTop: 4 } } },
    Tooltip: { defaultProps: { withArrow: false, openDelay: 350, transitionProps: { duration: 120 }, fz: "xs" } },
    // The invisible input covers its label, so that any click on the switch hits the input.
    Switch: { styles: { input: { zIndex: 1, cursor: "pointer" } } },
    // The first entry has the focus at once: a placeholder has no place in a menu.
    Menu: { defaultProps: { shadow: "md", transitionProps: { duration: 120 }, withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 160, transition: "pop" },
        radius: "lg",
        closeButtonProps: { "aria-label": "Close" },
      },
      styles: { title: { fontWeight: 600, fontSize: "var(--size-body)", lineHeight: 1.35, overflowWrap: "anywhere" } },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 160 }, closeButtonProps: { "aria-label": "Close" } } },
  },
});

/** Mantine's variables, mapped to the tokens. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const both = {
    "--mantine-color-body": "var(--surface-raised)",
    "--mantine-color-text": "var(--text)",
    "--mantine-color-dimmed": "var(--text-muted)",
    "--mantine-color-placeholder": "var(--text-faint)",
    "--mantine-color-anchor": "var(--accent-text)",
    "--mantine-color-error": "var(--status-failed)",
    // For destructive menu items.
    "--mantine-color-red-6": "var(--status-failed)",
    "--mantine-color-disabled": "var(--surface-sunken)",
    "--mantine-color-disabled-color": "var(--text-faint)",
    "--mantine-color-disabled-border": "var(--line)",
    "--mantine-color-default": "var(--surface-raised)",
    "--mantine-color-default-hover": "var(--surface-hover)",
    "--mantine-color-default-color": "var(--text)",
    "--mantine-color-default-border": "var(--line-strong)",
    "--mantine-primary-color-filled": "var(--accent)",
    "--mantine-primary-color-filled-hover": "var(--accent-hover)",
    "--mantine-primary-color-light": "var(--accent-soft)",
    "--mantine-primary-color-contrast": "var(--accent-contrast)",
  };
  const fixed = { "--mantine-shadow-md": "var(--shadow-floating)", "--mantine-shadow-xl": "var(--shadow-floating)" };
  return { variables: fixed, light: both, dark: both };
};
