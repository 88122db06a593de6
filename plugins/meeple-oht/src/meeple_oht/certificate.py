"""TLS for tournaments: a self-signed certificate that the host makes, and the two TLS contexts.

Clients do not check the host name: a tournament's machine rarely has a registered one. A client
with a copy of the certificate may pin it.
"""

import datetime
import ssl
from pathlib import Path

from meeple.errors import MeepleError
from meeple.files import reported, write_private_file

DAYS = 3650  # validity of a certificate
CERTIFICATE, KEY = "certificate.pem", "key.pem"  # file names, in the folder of the database


def certificate_beside(database: Path) -> tuple[Path, Path]:
    """Return the paths of the certificate and key of a tournament's database.

    Missing files are created; only their owner may read them.

    Raises:
        MeepleError: the files cannot be written.
    """
    certificate = database.with_name(f"{database.stem}-{CERTIFICATE}")
    key = database.with_name(f"{database.stem}-{KEY}")
    if not (certificate.exists() and key.exists()):
        made = make_certificate()
        with reported(f"cannot write {certificate.parent}", MeepleError):
            for path, content in ((key, made[1]), (certificate, made[0])):
                path.unlink(missing_ok=True)
                write_private_file(path, content)
    return certificate, key


def make_certificate() -> tuple[bytes, bytes]:
    """Return a new self-signed certificate and its key, as PEM: curve P-256, valid ten years."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    public = key.public_key()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Meeple tournament")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        # Strict verification, the default from Python 3.13 on, requires these two.
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    return (
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return a server context, TLS 1.2 or newer. Raises MeepleError for unusable files."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise MeepleError(
            f"cannot use the certificate {certificate} with the key {key}: {error}"
        ) from None
    return context


def client_context(certificate: Path | None) -> ssl.SSLContext:
    """Return a client context that accepts this certificate only, or any if it is None.

    Raises MeepleError if the file is no certificate.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if certificate is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        try:
            context.load_verify_locations(certificate)
        except (OSError, ssl.SSLError) as error:
            raise MeepleError(f"cannot use the certificate {certificate}: {error}") from None
    return context
